import type { Facts } from "../../errors.ts";
import type { HandlerDeclaration } from "../declare/command.ts";
import type { NotificationContext } from "../declare/events.ts";
import type { InteractionContext } from "../declare/interaction-context.ts";
import type { RequestInfo } from "../declare/request-info.ts";
import type { SuggestionContext } from "../declare/suggest.ts";
import type { MessageReply } from "../draw/render.ts";
import type { HandlerContextParts } from "./handler-context.ts";
import type { InteractionDeps } from "./interaction-deps.ts";

/** What interactions are dispatched with. */
export interface DispatchDeps extends InteractionDeps {
  readonly features: FeatureContexts;
}

/**
 * Makes what handlers get from what this room knows: the handlers are declared with contexts of their own, which may
 * hold anything that features need. Made once, in `bot.ts`.
 */
export interface FeatureContexts {
  /**
   * Once for each call of a handler, before it.
   * @throws BotError where the handler can't have what it was declared with, such as a credential.
   */
  open(parts: HandlerContextParts, request: HandlerRequest): Promise<FeatureCall>;
  /**
   * Called before a form opens, so that nobody fills one in for nothing. Waits a moment at most; what can't be read by then
   * is checked after the form. @throws BotError for what the handler needs and the server lacks
   */
  requireForForm(
    requester: Pick<InteractionContext, "guildId" | "rank">,
    declaration: HandlerDeclaration,
  ): Promise<void>;
  /** What a button's form is opened with; without waiting. */
  openForm(request: RequestInfo): RequestInfo;
  /** What suggestions get. @throws BotError, and nothing is suggested */
  openSuggestions(
    context: SuggestionContext,
    request: Pick<HandlerRequest, "declaration" | "command" | "as">,
  ): Promise<SuggestionContext>;
  /** What a notification is drawn with. */
  openNotification(context: NotificationContext): NotificationContext;
  /** Whether a handler that was interrupted may run again: it changes nothing, and costs nothing that was paid already. */
  mayRepeat(declaration: HandlerDeclaration): boolean;
  /** Whether a handler that fails could have changed or cost something. */
  mayChange(declaration: HandlerDeclaration): boolean;
  /** For the words of a failure: where people see whether an interrupted handler was done. */
  whereToLook(declaration: HandlerDeclaration): Facts;
}

/** What a handler is called for. */
export interface HandlerRequest {
  /** As its feature declared it. */
  readonly declaration: HandlerDeclaration;
  /** Path of a command, title of a menu, or name of an action. */
  readonly command: string;
  readonly view: View;
  /** Of a button, a select or a form. */
  readonly isPress: boolean;
  /** The channel to act as, where one was chosen just now or a press continues as one. */
  readonly as: ActingAs | undefined;
}

/** Who will read the answer: everybody, or one person. */
export type View = "public" | "private";

/** A YouTube channel that commands act as, by its id or by what people call it. */
export interface ActingAs {
  readonly name: string;
  /** Whether somebody chose it just now; otherwise a press continues as it. */
  readonly isChosen: boolean;
}

/** One call of a handler, as its feature sees it. */
export interface FeatureCall {
  /** What the handler is called with. */
  readonly ctx: InteractionContext;
  /** What the presses of its reply continue to act as. */
  readonly as: string | undefined;
  /** Called before the handler. @throws LimitError where today's budget is less than it costs at least */
  requireBudget(): Promise<void>;
  /** The reply with what it cost, and who acted, in its footer. */
  addFoot(reply: MessageReply): Promise<MessageReply>;
  /** The cost alone, for the footer of a failure; undefined where there was none. */
  describeCost(): Promise<string | undefined>;
}
