import scopes from "./scopes.json" with { type: "json" };

const scopePrefix = "https://www.googleapis.com/auth/";

type Scopes = Readonly<Record<string, { readonly title: string; readonly detail: string }>>;

/** Every scope of YouTube, without its address prefix: docs/services/youtube.md#credentials-and-scopes */
export const videoScopes: Scopes = scopes.video;

/** Sign-in scopes: requested beside those of YouTube, and granted with any of them. */
export const signInScopes: Scopes = scopes.signIn;

/** Besides its short name each has an address, in which it is answered. */
const signInAddresses: Readonly<Record<string, string>> = {
  openid: "openid",
  email: `${scopePrefix}userinfo.email`,
  profile: `${scopePrefix}userinfo.profile`,
};

/** Every known scope by the texts that may name it. */
const shortNames: ReadonlyMap<string, string> = new Map([
  ...Object.keys(videoScopes).map((name) => [scopePrefix + name, name] as const),
  ...Object.keys(signInAddresses).map((name) => [name, name] as const),
  ...Object.entries(signInAddresses).map(([name, address]) => [address, name] as const),
]);

/** Scopes by their short names, or undefined when one is not known. Double ones count once. */
export function readScopeList(text: string): readonly string[] | undefined {
  const addresses = text.split(" ").filter((address) => address !== "");
  const known = addresses.flatMap((address) => shortNames.get(address) ?? []);
  return known.length > 0 && known.length === addresses.length ? [...new Set(known)] : undefined;
}

export function writeScopeList(names: readonly string[]): string {
  return names.map((name) => signInAddresses[name] ?? scopePrefix + name).join(" ");
}
