import type { Shortcut } from './screen.ts'

type Pressed = Pick<KeyboardEvent, 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey' | 'code'>

const shortcuts: Readonly<Record<string, Shortcut | 'paste'>> = {
  KeyF: 'search',
  KeyC: 'copy',
  KeyV: 'paste',
  ArrowUp: 'leave',
}

/**
 * The keys that are the page's: Ctrl-Shift with F, C, V or the arrow up, which leads out of the terminal for those who
 * have no mouse. Everything else belongs to the shell.
 */
export function shortcutOf({ ctrlKey, shiftKey, altKey, metaKey, code }: Pressed): Shortcut | 'paste' | undefined {
  return ctrlKey && shiftKey && !altKey && !metaKey ? shortcuts[code] : undefined
}
