// Views are linked by the fragment of the address: #/clusters?store=news.

export const VIEWS = ["check", "search", "clusters", "documents", "live", "document", "text"] as const;
export type ViewName = (typeof VIEWS)[number];
export interface Route {
  view: ViewName;
  parameters: URLSearchParams;
}

export function current_route(): Route {
  const [, name = "", query = ""] = /^#\/([a-z]*)(?:\?(.*))?$/s.exec(location.hash) ?? [];
  const view = VIEWS.find((each) => each === name) ?? "check";
  return { view, parameters: new URLSearchParams(query) };
}

/** The fragment of a view; parameters that are null are left out. */
export function link(view: ViewName, parameters: Record<string, string | number | null> = {}): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.set(name, String(value));
  const text = query.toString();
  return `#/${view}${text ? `?${text}` : ""}`;
}

export function go(view: ViewName, parameters: Record<string, string | number | null> = {}): void {
  location.hash = link(view, parameters);
}
