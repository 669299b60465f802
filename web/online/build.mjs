// Bundles the page of `neardup serve` and writes it as a C++ file that defines page_assets() (apps/server/api/page_assets.h).
//
//   node build.mjs NODE_MODULES OUTPUT.cc     NODE_MODULES: the folder into which npm installed the packages of package-lock.json
//
// Nothing is written next to the sources. The same sources and packages make the same file.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const [modules, output] = process.argv.slice(2).map((path) => resolve(path));
const sources = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(modules, "any.js"))("esbuild");

const bundle = await esbuild.build({
  entryPoints: [join(sources, "src/app.ts"), join(sources, "src/app.css")],
  nodePaths: [modules],
  bundle: true,
  minify: true,
  target: "es2022",
  charset: "utf8",
  external: ["/favicon.svg"],
  write: false,
  outdir: "out",
  logLevel: "warning",
});
const bundled = (ending) => bundle.outputFiles.find((file) => file.path.endsWith(ending)).text;
// uPlot's licence wants to be wherever its code is. Its stylesheet is a part of it.
const licence = `/*! uPlot\n\n${readFileSync(join(modules, "uplot/LICENSE"), "utf8").trim()}\n*/\n`;

const assets = [
  ["/", "text/html; charset=utf-8", readFileSync(join(sources, "index.html"), "utf8")],
  ["/app.js", "text/javascript; charset=utf-8", licence + bundled(".js")],
  ["/app.css", "text/css; charset=utf-8", licence + bundled(".css")],
  ["/favicon.svg", "image/svg+xml", readFileSync(join(sources, "favicon.svg"), "utf8")],
];

const kBytesOfLine = 32;
function array(name, bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += kBytesOfLine) lines.push(`    ${[...bytes.subarray(at, at + kBytesOfLine)].join(",")},`);
  return `constexpr unsigned char ${name}[] = {\n${lines.join("\n")}\n};\n`;
}

let arrays = "";
let rows = "";
assets.forEach(([path, type, text], index) => {
  const plain = Buffer.from(text, "utf8");
  const etag = createHash("sha256").update(plain).digest("hex").slice(0, 32);
  arrays += array(`kPlain${index}`, plain) + array(`kGzip${index}`, gzipSync(plain, { level: 9 }));
  rows += `      {.path = "${path}", .content_type = "${type}", .gzip = bytes_of(kGzip${index}), .plain = bytes_of(kPlain${index}), .etag = "\\"${etag}\\""},\n`;
});

writeFileSync(
  output,
  `// Made from web/online and uPlot by web/online/build.mjs.
#include "server/api/page_assets.h"

#include <array>
#include <cstddef>

namespace neardup::server {
namespace {
${arrays}
template <size_t kSize>
std::string_view bytes_of(const unsigned char (&bytes)[kSize]) noexcept {
  return {reinterpret_cast<const char*>(bytes), kSize};
}
}  // namespace

std::span<const PageAsset> page_assets() {
  static const std::array<PageAsset, ${assets.length}> assets{{
${rows}  }};
  return assets;
}

}  // namespace neardup::server
`,
);
