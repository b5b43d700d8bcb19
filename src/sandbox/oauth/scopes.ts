import scopes from "./scopes.json" with { type: "json" };

const scopePrefix = "https://www.googleapis.com/auth/";

type Scopes = Readonly<Record<string, { readonly title: string; readonly detail: string }>>;

/** Every scope of the video service, without its address prefix, as the consent page explains it. */
export const videoScopes: Scopes = scopes.video;

/** Sign-in scopes: requested beside the service's own scopes, and granted with any of them. */
export const signInScopes: Scopes = scopes.signIn;

/** Besides its short name each has an address, in which it is answered. */
const signInAddresses: Readonly<Record<string, string>> = {
  openid: "openid",
  email: `${scopePrefix}userinfo.email`,
  profile: `${scopePrefix}userinfo.profile`,
};

const signInNames: ReadonlyMap<string, string> = new Map(
  Object.entries(signInAddresses).flatMap(([name, address]) => [
    [name, name],
    [address, name],
  ]),
);

/** Scopes by their short names, or undefined when one is not known. Double ones count once. */
export function readScopeList(text: string): readonly string[] | undefined {
  const names = text.split(" ").flatMap((address) => (address === "" ? [] : [readScope(address)]));
  const known = names.filter((name) => name !== undefined);
  return names.length > 0 && known.length === names.length ? [...new Set(known)] : undefined;
}

function readScope(address: string): string | undefined {
  const name = address.startsWith(scopePrefix) ? address.slice(scopePrefix.length) : undefined;
  const isOfService = name !== undefined && Object.hasOwn(videoScopes, name);
  return isOfService ? name : signInNames.get(address);
}

export function writeScopeList(names: readonly string[]): string {
  return names.map((name) => signInAddresses[name] ?? scopePrefix + name).join(" ");
}
