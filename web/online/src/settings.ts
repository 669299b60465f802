// What the browser remembers: the language and whether single keys are commands for good, the key of the service until the tab is closed.
// Browsers may refuse both storages; then nothing is remembered.

function read(storage: () => Storage, name: string): string | null {
  try {
    return storage().getItem(name);
  } catch {
    return null;
  }
}

function write(storage: () => Storage, name: string, value: string | null): void {
  try {
    if (value === null) storage().removeItem(name);
    else storage().setItem(name, value);
  } catch {
    // Remembered for as long as the page is open, by its variables.
  }
}

const lasting = () => localStorage;
const of_tab = () => sessionStorage;

export const settings = {
  language: () => read(lasting, "neardup-language"),
  set_language: (language: string) => write(lasting, "neardup-language", language),
  single_keys: () => read(lasting, "neardup-single-keys") !== "off",
  set_single_keys: (on: boolean) => write(lasting, "neardup-single-keys", on ? null : "off"),
  key: () => read(of_tab, "neardup-key"),
  set_key: (key: string | null) => write(of_tab, "neardup-key", key),
};
