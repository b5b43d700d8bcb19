/** What in a store's address is secret: its password as it is written, and as it is meant. */
export function passwordsOf(url: string): readonly string[] {
  const { password = "", searchParams } = URL.parse(url) ?? {};
  const told = [password, decoded(password), searchParams?.get("password") ?? ""];
  return [...new Set(told)].filter((each) => each !== "");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
