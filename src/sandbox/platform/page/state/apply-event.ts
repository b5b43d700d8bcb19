import type { APIMessage } from "discord-api-types/v10";
import type { HelloEvent, PageEvent } from "../../protocol.ts";
import type { PageState, TypingUser } from "./page-state.ts";
import { endPending } from "./pending-actions.ts";
import { compareAge } from "./posts.ts";

export function applyEvent(state: PageState, event: PageEvent): PageState {
  switch (event.type) {
    case "hello":
      return greet(state, event);
    case "message":
      return takeMessage(state, event.message);
    case "message-deleted":
      return { ...state, messages: state.messages.filter(({ id }) => id !== event.messageId) };
    case "typing":
      return startTyping(state, event);
    case "form":
      return openForm(state, event);
    case "failed":
      return endPending(state, { interactionId: event.interactionId, failed: event.text });
    case "settled":
      return endPending(state, { interactionId: event.interactionId });
    case "commands":
      return withHello(state, { commands: event.commands });
    case "channels":
      return inPlace(withHello(state, { channels: event.channels }));
    case "thread":
      return withThread(state, event.thread);
    case "thread-deleted":
      return withoutThread(state, event);
    case "online":
      return withHello(state, { online: event.online });
    case "events":
      return withHello(state, { events: event.events });
    case "expressions":
      return withHello(state, { expressions: event.expressions });
    case "clock":
      return { ...state };
    case "locale":
      return withHello(state, { locale: event.locale });
  }
}

const lostForm = "The connection was lost. Your form may have been sent anyway.";

function greet(state: PageState, hello: HelloEvent): PageState {
  const isSamePerson = state.hello?.me.name === hello.me.name;
  return inPlace({
    link: "open",
    hello,
    channelId: state.channelId,
    messages: [...hello.messages].sort(byAge),
    // Their end may have been missed while the connection was broken, so nothing may wait for them.
    waiting: (isSamePerson ? state.waiting : []).flatMap((one) => {
      if (one.failed !== undefined) return [one];
      return one.kind === "form" ? [{ ...one, failed: lostForm }] : [];
    }),
    outcomes: [],
    // What was typed into a form survives a dropped connection, but belongs to one person.
    form: isSamePerson ? state.form : undefined,
    done: state.done,
    typing: [],
  });
}

/** Moves to the first channel if the open channel is gone. */
function inPlace(state: PageState): PageState {
  const { hello, channelId } = state;
  if (hello === undefined) return state;
  const parents = hello.channels.map((channel) => channel.id);
  const isPost = hello.threads.some(
    (thread) => thread.id === channelId && parents.includes(thread.parent_id ?? ""),
  );
  if (channelId === hello.directChannelId || parents.includes(channelId) || isPost) return state;
  return { ...state, channelId: parents[0] ?? "" };
}

function withThread(state: PageState, thread: HelloEvent["threads"][number]): PageState {
  const { threads = [] } = state.hello ?? {};
  const known = threads.findIndex(({ id }) => id === thread.id);
  return withHello(state, {
    threads: known < 0 ? [...threads, thread] : threads.with(known, thread),
  });
}

/** If the post was open, its forum is opened. */
function withoutThread(state: PageState, gone: PageEvent & { type: "thread-deleted" }): PageState {
  const { threadId, parentId } = gone;
  const threads = state.hello?.threads.filter(({ id }) => id !== threadId) ?? [];
  const messages = state.messages.filter((message) => message.channel_id !== threadId);
  const channelId = state.channelId === threadId ? parentId : state.channelId;
  return inPlace(withHello({ ...state, messages, channelId }, { threads }));
}

function takeMessage(state: PageState, message: APIMessage): PageState {
  const known = state.messages.findIndex(({ id }) => id === message.id);
  const messages =
    known < 0 ? [...state.messages, message].sort(byAge) : state.messages.with(known, message);
  const interactionId = message.interaction_metadata?.id;
  const { channel_id: channelId, author } = message;
  const written = stopTyping(state, { channelId, userId: author.id });
  const next = { ...(known < 0 ? written : state), messages };
  return interactionId === undefined || known >= 0 ? next : endPending(next, { interactionId });
}

function startTyping(state: PageState, { channelId, userId }: TypingUser): PageState {
  const others = stopTyping(state, { channelId, userId }).typing;
  return { ...state, typing: [...others, { channelId, userId }] };
}

/** They have written something, or have stopped. */
export function stopTyping(state: PageState, { channelId, userId }: TypingUser): PageState {
  const typing = state.typing.filter((one) => one.channelId !== channelId || one.userId !== userId);
  return { ...state, typing };
}

function openForm(state: PageState, event: PageEvent & { type: "form" }): PageState {
  const opener = state.waiting.find(({ interactionId }) => interactionId === event.interactionId);
  const form = {
    interactionId: event.interactionId,
    channelId: opener?.channelId ?? state.channelId,
    form: event.form,
  };
  return endPending({ ...state, form }, { interactionId: event.interactionId });
}

function withHello(state: PageState, change: Partial<HelloEvent>): PageState {
  return state.hello ? { ...state, hello: { ...state.hello, ...change } } : state;
}

function byAge(a: APIMessage, b: APIMessage): number {
  return compareAge(a.id, b.id);
}
