import { type APIGuildForumTag, type APIMessage, ComponentType } from "discord-api-types/v10";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { author } from "../channel/author.ts";
import { shownMediaAddress } from "../content/address.ts";
import { emojiElement, icons } from "../content/icons.ts";
import { PageElement } from "../element.ts";
import { inlineMarkdown } from "../markdown/render.ts";
import type { PageSession } from "../page-session.ts";
import { findPageChannel } from "../state/channels.ts";
import { createNames } from "../state/names.ts";
import type { PageState } from "../state/page-state.ts";
import { isForumPostArchived, postsIn, type ShownPost } from "../state/posts.ts";
import "../markdown/time-element.ts";

/** `<page-forum>`: the posts of a forum, which may be narrowed down to some tags. */
class PageForum extends PageElement {
  static override properties = {
    session: { attribute: false },
    state: { attribute: false },
    wanted: { state: true },
  };
  declare session: PageSession;
  declare state: PageState;
  /** Ids of tags that a post must have one of; all posts when empty. */
  declare wanted: readonly string[];

  constructor() {
    super();
    this.wanted = [];
  }

  override firstUpdated(): void {
    // Coming back from a post, the list shows that post again.
    const { lastPost } = this.session;
    const card = lastPost && this.querySelector(`[data-post-id="${CSS.escape(lastPost)}"]`);
    if (!card) return;
    card.scrollIntoView({ block: "nearest" });
    card.querySelector<HTMLElement>(".post-open")?.focus();
  }

  override render(): TemplateResult {
    const { channelId } = this.state;
    const tags = findPageChannel(this.state, channelId)?.available_tags ?? [];
    const known = this.wanted.filter((id) => tags.some((tag) => tag.id === id));
    const posts = postsIn(this.state, channelId).filter(
      (post) => known.length === 0 || post.tags.some(({ id }) => known.includes(id)),
    );
    const active = posts.filter((post) => !isForumPostArchived(post));
    const older = posts.filter(isForumPostArchived);
    return html`<div class="forum-scroller" tabindex="0" role="region" aria-label="Posts">
      ${tags.length > 0 ? this.#filter(tags, known) : nothing}
      ${
        posts.length === 0
          ? html`<div class="forum-empty" role="status">
            <span class="welcome-mark">${icons.forum}</span>
            <p>${known.length > 0 ? "No posts with these tags." : "There are no posts here yet."}</p>
          </div>`
          : nothing
      }
      ${this.#list(active, "Posts")}
      ${older.length > 0 ? html`<h2 class="older">Older posts</h2>` : nothing}
      ${this.#list(older, "Older posts")}
    </div>`;
  }

  #list(posts: readonly ShownPost[], label: string): TemplateResult | typeof nothing {
    if (posts.length === 0) return nothing;
    return html`<ul class="posts" aria-label=${label}>
      ${repeat(
        posts,
        ({ thread }) => thread.id,
        (post) => postCard(this.state, post, (id) => this.session.openPost(id)),
      )}
    </ul>`;
  }

  #filter(tags: readonly APIGuildForumTag[], wanted: readonly string[]): TemplateResult {
    return html`<div class="tag-filter" role="group" aria-label="Filter by tag">
      ${tags.map(
        (tag) => html`<button
          type="button"
          class="tag"
          aria-pressed=${wanted.includes(tag.id)}
          @click=${() => {
            const rest = wanted.filter((id) => id !== tag.id);
            this.wanted = rest.length < wanted.length ? rest : [...wanted, tag.id];
          }}
        >
          ${tagFace(tag)}
        </button>`,
      )}
    </div>`;
  }
}

customElements.define("page-forum", PageForum);

// The time of an id: https://docs.discord.com/developers/reference#snowflakes
const epoch = 1_420_070_400_000;

/** A post in its forum: tags, title, the first words, how much was answered and when. */
function postCard(
  state: PageState,
  post: ShownPost,
  open: (threadId: string) => void,
): TemplateResult {
  const { thread, tags, first, answers, newest } = post;
  const count = answers === 1 ? "1 message" : `${answers} messages`;
  const words = [thread.name, ...tags.map(({ name }) => name), count].join(", ");
  const unixSeconds = Number((BigInt(newest) >> 22n) + BigInt(epoch)) / 1_000;
  const picture = first ? firstPicture(first) : "";
  return html`<li>
    <article class="post" data-post-id=${thread.id} aria-label=${thread.name}>
      <div class="post-main">
        ${tags.length > 0 ? html`<div class="tags" role="list" aria-label="Tags">${tags.map((tag) => tagPill(tag))}</div>` : nothing}
        <h3>
          <button type="button" class="post-open" aria-label=${words} @click=${() => open(thread.id)}>
            ${thread.name}${thread.thread_metadata?.locked ? icons.lock : nothing}
          </button>
        </h3>
        ${opening(state, post)}
        <div class="post-foot">
          ${icons.post}<span class="post-count">${answers}</span>
          <span aria-hidden="true">·</span><page-time .unixSeconds=${unixSeconds} format="R" .locale=${state.hello?.locale}></page-time>
        </div>
      </div>
      ${picture ? html`<img class="post-picture" src=${picture} alt="" loading="lazy" />` : nothing}
    </article>
  </li>`;
}

function opening({ hello }: PageState, { first }: ShownPost): TemplateResult {
  if (!first) return html`<p class="post-words gone">The first message was deleted.</p>`;
  const words = inlineMarkdown(messageWords(first), createNames(hello));
  return html`<p class="post-words">${author(first.author, hello)}<span>: </span>${words}</p>`;
}

interface MessagePart {
  readonly type?: number;
  readonly content?: string;
  readonly components?: readonly MessagePart[];
  readonly items?: readonly { readonly media: { readonly url: string } }[];
  readonly accessory?: MessagePart & { readonly media?: { readonly url: string } };
}

function parts(all: readonly MessagePart[]): readonly MessagePart[] {
  return all.flatMap((part) => [
    part,
    ...parts(part.components ?? []),
    ...(part.accessory ? [part.accessory] : []),
  ]);
}

const messageParts = ({ components }: APIMessage): readonly MessagePart[] =>
  parts((components ?? []) as readonly MessagePart[]);

/** All text of a message: content, text displays and embeds. */
function messageWords(message: APIMessage): string {
  const displayed = messageParts(message)
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
function firstPicture(message: APIMessage): string {
  const attached = message.attachments.find(({ content_type: type }) => type?.startsWith("image/"));
  const embedded = message.embeds.flatMap(({ image, thumbnail }) => [image?.url, thumbnail?.url]);
  const shown = messageParts(message).flatMap((part) => [
    ...(part.items?.map(({ media }) => media.url) ?? []),
    part.accessory?.media?.url,
  ]);
  const found = [attached?.url, ...embedded, ...shown].find((url) => url !== undefined);
  return shownMediaAddress(found, message);
}

function tagFace(tag: APIGuildForumTag): TemplateResult {
  const { emoji_id: id, emoji_name: name } = tag;
  const sign = id || name ? emojiElement({ ...(id && { id }), ...(name && { name }) }) : nothing;
  return html`${sign}<span>${tag.name}</span>`;
}

export function tagPill(tag: APIGuildForumTag): TemplateResult {
  return html`<span class="tag" role="listitem">${tagFace(tag)}</span>`;
}
