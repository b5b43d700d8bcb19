import type { BackgroundServer } from "../../src/sandbox/background/index.ts";

interface AccountAnswer {
  readonly data: { readonly attributes: { readonly credits: { readonly total: number } } };
}

/** The credits left in the remove.bg account. */
export async function readCreditsLeft({
  url,
  key,
}: Pick<BackgroundServer, "url" | "key">): Promise<number> {
  const response = await fetch(`${url}/account`, { headers: { "X-Api-Key": key } });
  const { data } = (await response.json()) as AccountAnswer;
  return data.attributes.credits.total;
}
