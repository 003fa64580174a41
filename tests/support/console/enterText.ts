import type { UserEvent } from '@testing-library/user-event'

/**
 * Adds a text to a field at once, by pasting it. For tests that are not about typing: a form renders for each letter
 * that is typed.
 */
export async function enterText(user: UserEvent, field: Element, text: string): Promise<void> {
  await user.click(field)
  await user.paste(text)
}
