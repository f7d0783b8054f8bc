/**
 * The options and results of forms.
 *
 * @module
 */

import type { Issue } from '../base/issue.js';
import type { PlatformAbortSignal, PlatformElement } from '../base/platform.js';
import type { TableServiceClient } from '../client/table-service-client.js';
import type { EdmTypes } from '../entity/edm.js';
import type { Row, RowInput } from '../schema/rows.js';
import type { StandardResult } from '../schema/standard.js';
import type { Texts } from './texts.js';

/**
 * What is wrong with a form, in the words of the messages. If the browser has found it, by the type
 * or by an attribute of the control, then it has the `rule` that is most like it, and no `code`.
 */
export interface FormIssue extends Issue {
  /** The property; missing, if the issue is about the whole row. */
  readonly name?: string | undefined;

  /** The declared type of the property. */
  readonly type?: EdmTypes | undefined;

  /** The value of the property; a text, if it cannot be read as the declared type. */
  readonly value?: unknown;

  /** How the value is given: it is typed, chosen from a list, a box to tick, or a file. */
  readonly kind?: 'text' | 'email' | 'url' | 'choice' | 'box' | 'file' | undefined;

  /** The `title` of the control, which may describe a pattern. */
  readonly hint?: string | undefined;

  /**
   * If a day without a time is given: the first or the last day that is allowed, as `2024-05-06`.
   */
  readonly day?: string | undefined;

  /** The stated time zone. */
  readonly timeZone?: string | undefined;

  /** The check of the app has failed, so nobody knows whether the value is right. */
  readonly isUnchecked?: true | undefined;
}

/** Returns the message of an issue; undefined for the message that the issue has. */
export type MessageFunction = (issue: FormIssue) => string | undefined;

/** The texts of a language, or a function of the app; or a promise of them. */
export type MessageSource = Messages | PromiseLike<Messages>;

/** The texts of a language, or a function of the app. */
export type Messages = Texts | MessageFunction;

/** How a form is read. */
export interface ReadOptions<Properties> {
  /**
   * The properties that the form may set; by default all of the table. List them on a server,
   * because a request may contain other properties.
   */
  readonly properties?: readonly (keyof Properties & string)[];

  /**
   * Values that are not for the user, such as keys. They replace those of the form, so a bound form
   * refuses an object with a value for a control that the user sees. A function gets what the form
   * holds; a value that cannot be read is a text there, whatever its type is.
   */
  readonly values?:
    | Partial<RowInput<Properties>>
    | ((row: Partial<RowInput<Properties>>) => Partial<RowInput<Properties>>);

  /**
   * The time zone of dates and times without one: `'Europe/Berlin'`, `'UTC'`. A form that has such
   * a control for a DateTime needs it, and so does a request that may have a DateTime.
   */
  readonly timeZone?: string | undefined;

  /** The texts of a language, or a function; without it, messages are for developers. */
  readonly messages?: MessageSource | undefined;
}

/** A check of one value, for example a request to a server: whether a name is taken. */
export type FormCheck<Value, RowBefore> = (
  value: Value,
  context: {
    /** What the form holds. */
    readonly row: RowBefore;
    /** Fires when the value has changed since. */
    readonly signal: PlatformAbortSignal;
  },
) => string | undefined | Promise<string | undefined>;

/** An account, or a promise of one. */
export type DraftAccount = TableServiceClient | PromiseLike<TableServiceClient>;

/** Options of `bindForm`. */
export type BindOptions<Properties> = OptionsWithoutDraft<Properties> & DraftOptions;

type DraftOptions =
  | {
      /**
       * The name of a draft. Unsaved input is kept under it in the account until it was submitted.
       * Passwords, files and hidden controls are not kept.
       */
      readonly draft: string;

      /** The account for the draft. */
      readonly account: DraftAccount;
    }
  | { readonly draft?: undefined; readonly account?: DraftAccount | undefined };

interface OptionsWithoutDraft<Properties> extends ReadOptions<Properties> {
  /**
   * Stores the row. The form is busy until its promise resolves. An error is shown at the field
   * that it is about, or else above the form.
   *
   * @param submitter - the button.
   */
  readonly onSubmit: (row: Row<Properties>, submitter: PlatformElement | null) => unknown;

  /**
   * Checks beyond the definition, by property. Each returns what is wrong, for the user. They run
   * when a field is left and before a submit, if the value breaks no other rule. If one throws, the
   * form is not submitted, and the next submit asks again.
   */
  readonly checks?: {
    readonly [Name in keyof Properties & keyof RowInput<Properties>]?: FormCheck<
      NonNullable<RowInput<Properties>[Name]>,
      Partial<RowInput<Properties>>
    >;
  };

  /** Lists all messages after a submit, with links: in this element, or in a new one. */
  readonly summary?: boolean | PlatformElement;
}

/** A form that is bound to a table. */
export interface BoundForm<Properties> {
  /** A check, a submit or a file is not done yet. Then the form has `aria-busy`. */
  readonly isBusy: boolean;

  /**
   * Resolves when the messages, the module and the draft are there.
   *
   * @throws the first error, if one of them cannot be loaded. Without the scripts of the form, the
   * browser shows what is wrong. The form works without messages and draft.
   */
  readonly ready: Promise<void>;

  /** Reads and checks the whole form, and shows every message. */
  validate(): Promise<StandardResult<Row<Properties>, FormIssue>>;

  /**
   * Shows these values. A value stays whole until the user changes it: the bytes of a file control,
   * and what a control does not show of a time. A value without a control is submitted as it is. A
   * stored row, with its etag, takes the place of all that was filled in before.
   */
  fill(
    row: Partial<RowInput<Properties>>,
    options?: {
      /** Whether what a draft has kept stays; by default the values replace it. */
      readonly keepDraft?: boolean;
    },
  ): Promise<void>;

  /** Removes the draft. */
  discardDraft(): Promise<void>;

  /** Ends it. The form is as it was, with the values of now. */
  unbind(): void;
}
