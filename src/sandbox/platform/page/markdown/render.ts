import "@skyra/discord-components-core/discord-mention.js";
import { html, nothing, type TemplateResult } from "lit";
import { emojiAddress } from "../content/address.ts";
import type { ShownNames } from "../state/names.ts";
import {
  type InlineMark,
  type ListItem,
  type MarkdownBlock,
  parseInline,
  parseMarkdown,
  parseTitle,
} from "./parse.ts";
import "./time-element.ts";

type RenderedMarkdown = TemplateResult | string;

/** Text with all of Discord's marks. Text is only ever put in as text, so it can't bring elements along. */
export function markdown(text: string, names: ShownNames): TemplateResult {
  return html`<div class="md">${parseMarkdown(text).map((block) => renderBlock(block, names))}</div>`;
}

export function titleMarkdown(text: string, names: ShownNames): readonly RenderedMarkdown[] {
  return renderAll(parseTitle(text), names);
}

/** Text with inline marks only. */
export function inlineMarkdown(text: string, names: ShownNames): readonly RenderedMarkdown[] {
  return renderAll(parseInline(text), names);
}

function renderAll(nodes: readonly InlineMark[], names: ShownNames): readonly RenderedMarkdown[] {
  return nodes.map((node) => renderInline(node, names));
}

// No spaces inside the templates: text keeps its own line breaks, so template ones would show.
function renderBlock(block: MarkdownBlock, names: ShownNames): TemplateResult {
  switch (block.type) {
    case "text":
      return html`<div class="md-text">${renderAll(block.children, names)}</div>`;
    case "subtext":
      return html`<div class="md-subtext">${renderAll(block.children, names)}</div>`;
    case "heading":
      return renderHeading(block.level, renderAll(block.children, names));
    case "quote":
      return html`<blockquote class="md-quote">${block.blocks.map((inner) => renderBlock(inner, names))}</blockquote>`;
    case "list":
      return renderList(block, names);
    case "code":
      return html`<pre class="md-pre"><code>${block.text}</code></pre>`;
  }
}

function renderHeading(level: 1 | 2 | 3, children: readonly RenderedMarkdown[]): TemplateResult {
  if (level === 1) return html`<h3 class="md-h1">${children}</h3>`;
  if (level === 2) return html`<h4 class="md-h2">${children}</h4>`;
  return html`<h5 class="md-h3">${children}</h5>`;
}

function renderList(list: MarkdownBlock & { type: "list" }, names: ShownNames): TemplateResult {
  const items = list.items.map(
    ({ children, lists }: ListItem) =>
      html`<li class=${isDone(children, names) ? "done" : nothing}>${isDone(children, names) ? html`<span class="sr-only">Done: </span>` : nothing}${renderAll(children, names)}${lists.map((inner) => renderBlock(inner, names))}</li>`,
  );
  if (list.start === undefined) return html`<ul class="md-list">${items}</ul>`;
  return html`<ol class="md-list" start=${list.start}>${items}</ol>`;
}

/** Whether one of the commands that a suggestion mentions was used, or what it writes in bold. */
function isDone(children: readonly InlineMark[], { done }: ShownNames): boolean {
  return children.some((node) => {
    if (node.type === "command") return done?.includes(node.name);
    if (node.type !== "strong") return false;
    return node.children.some((inner) => inner.type === "text" && done?.includes(inner.text));
  });
}

function renderInline(node: InlineMark, names: ShownNames): RenderedMarkdown {
  switch (node.type) {
    case "text":
      return node.text;
    case "strong":
      return html`<strong>${renderAll(node.children, names)}</strong>`;
    case "em":
      return html`<em>${renderAll(node.children, names)}</em>`;
    case "underline":
      return html`<u>${renderAll(node.children, names)}</u>`;
    case "strike":
      return html`<s>${renderAll(node.children, names)}</s>`;
    case "spoiler":
      return html`<span class="md-spoiler" role="button" tabindex="0" aria-label="Spoiler, press to show" @click=${reveal} @keydown=${revealByKey}><span>${renderAll(node.children, names)}</span></span>`;
    case "code":
      return html`<code class="md-code">${node.text}</code>`;
    case "link":
      return html`<a class="md-link" href=${node.url} target="_blank" rel="noopener noreferrer nofollow" title=${node.url}>${renderAll(node.children, names)}</a>`;
    case "time":
      return html`<page-time .unixSeconds=${node.unixSeconds} .format=${node.style} .locale=${names.locale}></page-time>`;
    case "emoji":
      return html`<img class="md-emoji" src=${emojiAddress(node.id)} alt=":${node.name}:" title=":${node.name}:" />`;
    case "user":
      return html`<discord-mention type="user">${names.user(node.id)}</discord-mention>`;
    case "role":
      return html`<discord-mention type="role" color=${names.roleColour(node.id) ?? nothing}>${names.role(node.id)}</discord-mention>`;
    case "channel":
      return html`<discord-mention type=${names.kindOf(node.id)}>${names.channel(node.id)}</discord-mention>`;
    case "command":
      return html`<discord-mention type="slash" role="button" tabindex="0" @click=${compose(node.name)} @keydown=${compose(node.name)}>${node.name}</discord-mention>`;
    case "everyone":
      return html`<discord-mention type="user">${node.name}</discord-mention>`;
  }
}

function reveal(event: Event): void {
  const spoiler = event.currentTarget as HTMLElement;
  spoiler.classList.add("shown");
  spoiler.removeAttribute("aria-label");
}

function revealByKey(event: KeyboardEvent): void {
  if (event.key === "Enter" || event.key === " ") reveal(event);
}

/** Pressing the mention of a command puts it into the command line. */
function compose(name: string): (event: Event) => void {
  return (event) => {
    if (event instanceof KeyboardEvent && event.key !== "Enter") return;
    const detail = { text: `/${name} ` };
    event.target?.dispatchEvent(
      new CustomEvent("page-compose", { detail, bubbles: true, composed: true }),
    );
  };
}
