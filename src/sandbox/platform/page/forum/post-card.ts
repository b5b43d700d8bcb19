import { html, nothing, type TemplateResult } from "lit";
import { author } from "../channel/author.ts";
import { icons } from "../content/icons.ts";
import { inlineMarkdown } from "../markdown/render.ts";
import "../markdown/time-element.ts";
import { createNames } from "../state/names.ts";
import type { PageState } from "../state/page.ts";
import type { ShownPost } from "../state/posts.ts";
import { pictureOf, wordsOf } from "./preview.ts";
import { tagPill } from "./tag-pill.ts";

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
