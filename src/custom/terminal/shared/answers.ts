/**
 * Whether a text is what a terminal sends by itself: answers to questions about its cursor, modes, colours and what it
 * can do, and reports that the window has the focus. Where several windows show one shell, only one may answer. A
 * report of the cursor looks like F3 with Shift, Alt or Ctrl, which are then lost for guests.
 */
export const isAnswerOfTerminal = (text: string): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these begin with escape
  /^\x1b(?:\[[?>=]?[\d;]*\$?[Rcnyt]$|\[[IO]$|\]|P)/.test(text)
