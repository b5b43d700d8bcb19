import { listActions } from "./lists.ts";
import { askRemove, removeNow, subscribeAction } from "./subscribe.ts";

/** What the buttons about subscriptions start. */
export const subscriptionActions = [...listActions, subscribeAction, askRemove, removeNow] as const;

export { openSubscribers, openSubscriptions } from "./lists.ts";
export { questionRemove, subscribe } from "./subscribe.ts";
