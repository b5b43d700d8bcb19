/** What is written of an address in letters; as it stands, where a percent sign in it means nothing. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
