import { colours } from '../components/theme/tokens.ts'

/** The icon of the page as a `data:` address: a tick, or an exclamation mark while something is wrong. */
export function iconAddress(isTrouble: boolean): string {
  const colour = isTrouble ? colours.light.danger : colours.light.good
  const mark = isTrouble ? 'M16 8v10M16 23v.5' : 'M9 17l5 5 9-11'
  const svg =
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><circle cx="16" cy="16" r="16" fill="${colour}"/>` +
    `<path d="${mark}" fill="none" stroke="#fff" stroke-width="4" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  return `data:image/svg+xml,${encodeURIComponent(svg)}`
}
