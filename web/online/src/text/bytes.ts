// Places in UTF-8, as the service counts them, as places in a JavaScript string.

/** The index of the UTF-16 unit at which byte `wanted` of the text's UTF-8 lies: the beginning of its character. */
export function index_of_byte(text: string, wanted: number): number {
  let bytes = 0;
  let index = 0;
  while (index < text.length) {
    const code = text.codePointAt(index) as number;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > wanted) return index;
    index += code > 0xffff ? 2 : 1;
  }
  return index;
}
