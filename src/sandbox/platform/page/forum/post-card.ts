import { type APIGuildForumTag, type APIMessage, ComponentType } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { author } from "../channel/author.ts";
import { mediaAddress } from "../content/address.ts";
import { emoji } from "../content/emoji.ts";
import { icons } from "../content/icons.ts";
import { inlineMarkdown } from "../markdown/render.ts";
import { createNames } from "../state/names.ts";
import type { PageState } from "../state/page.ts";
import type { ShownPost } from "../state/posts.ts";
import "../markdown/time-element.ts";

// The time of an id: https://docs.discord.com/developers/reference#snowflakes
const epoch = 1_420_070_400_000;
const unixSeconds = (id: string): number => Number((BigInt(id) >> 22n) + BigInt(epoch)) / 1_000;

/** A post in its forum: tags, title, the first words, how much was answered and when. */
export function postCard(
  state: PageState,
  post: ShownPost,
  open: (threadId: string) => void,
): TemplateResult {
  const { thread, tags, first, isUnread } = post;
  const picture = first ? pictureOf(first) : "";
  return html`<li>
    <article class="post ${isUnread ? "unread" : ""}" data-post-id=${thread.id} aria-label=${thread.name}>
      <div class="post-main">
        ${tags.length > 0 ? html`<div class="tags" role="list" aria-label="Tags">${tags.map((tag) => tagPill(tag))}</div>` : nothing}
        <h3>
          <button type="button" class="post-open" aria-label=${wordsFor(post)} @click=${() => open(thread.id)}>
            ${thread.name}${thread.thread_metadata?.locked ? icons.lock : nothing}
          </button>
        </h3>
        ${opening(state, post)} ${foot(state, post)}
      </div>
      ${picture ? html`<img class="post-picture" src=${picture} alt="" loading="lazy" />` : nothing}
    </article>
  </li>`;
}

function wordsFor({ thread, tags, answers, isUnread }: ShownPost): string {
  const count = answers === 1 ? "1 message" : `${answers} messages`;
  const parts = [thread.name, ...tags.map(({ name }) => name), count];
  return [...parts, ...(isUnread ? ["unread"] : [])].join(", ");
}

function opening({ hello }: PageState, { first }: ShownPost): TemplateResult {
  if (!first) return html`<p class="post-words gone">The first message was deleted.</p>`;
  const words = inlineMarkdown(wordsOf(first), createNames(hello));
  return html`<p class="post-words">${author(first.author, hello)}<span>: </span>${words}</p>`;
}

function foot({ hello }: PageState, { newest, answers }: ShownPost): TemplateResult {
  return html`<div class="post-foot">
    ${icons.post}<span class="post-count">${answers}</span>
    <span aria-hidden="true">·</span><page-time .unixSeconds=${unixSeconds(newest)} format="R" .locale=${hello?.locale}></page-time>
  </div>`;
}

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
function wordsOf(message: APIMessage): string {
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
function pictureOf(message: APIMessage): string {
  const attached = message.attachments.find(({ content_type: type }) => type?.startsWith("image/"));
  const embedded = message.embeds.flatMap(({ image, thumbnail }) => [image?.url, thumbnail?.url]);
  const shown = partsOf(message).flatMap((part) => [
    ...(part.items?.map(({ media }) => media.url) ?? []),
    part.accessory?.media?.url,
  ]);
  const found = [attached?.url, ...embedded, ...shown].find((url) => url !== undefined);
  return mediaAddress(found, message);
}

export function tagFace(tag: APIGuildForumTag): TemplateResult {
  const { emoji_id: id, emoji_name: name } = tag;
  const sign = id || name ? emoji({ ...(id && { id }), ...(name && { name }) }) : nothing;
  return html`${sign}<span>${tag.name}</span>`;
}

export function tagPill(tag: APIGuildForumTag): TemplateResult {
  return html`<span class="tag" role="listitem">${tagFace(tag)}</span>`;
}
