import { type APIMessage, ComponentType } from "discord-api-types/v10";
import { mediaAddress } from "../content/address.ts";

interface Part {
  readonly type?: number;
  readonly content?: string;
  readonly components?: readonly Part[];
  readonly items?: readonly { readonly media: { readonly url: string } }[];
  readonly accessory?: Part & { readonly media?: { readonly url: string } };
}

function parts(all: readonly Part[]): readonly Part[] {
  return all.flatMap((part) => [
    part,
    ...parts(part.components ?? []),
    ...(part.accessory ? [part.accessory] : []),
  ]);
}

const partsOf = ({ components }: APIMessage): readonly Part[] =>
  parts((components ?? []) as readonly Part[]);

/** The first words of a message, wherever they stand in it. */
export function wordsOf(message: APIMessage): string {
  const displayed = partsOf(message)
    .filter(({ type }) => type === ComponentType.TextDisplay)
    .map(({ content = "" }) => content);
  const embedded = message.embeds.flatMap(({ author, title, description }) => [
    author?.name ?? "",
    title ?? "",
    description ?? "",
  ]);
  return [message.content, ...displayed, ...embedded].filter((text) => text !== "").join(" ");
}

/** Address of the first picture of a message; the empty string without one. */
export function pictureOf(message: APIMessage): string {
  const attached = message.attachments.find(({ content_type: type }) => type?.startsWith("image/"));
  const embedded = message.embeds.flatMap(({ image, thumbnail }) => [image?.url, thumbnail?.url]);
  const shown = partsOf(message).flatMap((part) => [
    ...(part.items?.map(({ media }) => media.url) ?? []),
    part.accessory?.media?.url,
  ]);
  const found = [attached?.url, ...embedded, ...shown].find((url) => url !== undefined);
  return mediaAddress(found, message);
}
