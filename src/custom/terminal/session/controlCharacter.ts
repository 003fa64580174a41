/** What a terminal sends for a character typed while Ctrl is held: `c` is 3. Others than letters and `@[\]^_?` stay. */
export function controlCharacter(character: string): string {
  const code = character.toUpperCase().charCodeAt(0)
  if (code === 0x3f) return '\x7f'
  if (code === 0x20) return '\x00'
  return code >= 0x40 && code <= 0x5f ? String.fromCharCode(code & 0x1f) : character
}
