const addresses = new WeakMap<File, string>();

/** A local address to show a chosen picture by; empty for a file that is not one. */
export function previewOf(file: File): string {
  if (!/^image\/(?:png|jpe?g|webp|gif|avif)$/.test(file.type)) return "";
  const known = addresses.get(file) ?? URL.createObjectURL(file);
  addresses.set(file, known);
  return known;
}

/** Frees what `previewOf` holds. */
export function dropPreview(file: File): void {
  const known = addresses.get(file);
  if (known) URL.revokeObjectURL(known);
  addresses.delete(file);
}
