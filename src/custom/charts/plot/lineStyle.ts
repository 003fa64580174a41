import { colours, type Scheme } from '../../theme/tokens.ts'

/**
 * Colours of lines, one after the other: the console's own first, then some that are told apart from it and from one
 * another, also by those who see no red or no green. `tests/unit/custom/chartColours.test.ts` measures them on their ground.
 */
export const lineColours: Record<Scheme, readonly string[]> = {
  light: [colours.light.primary, '#c2410c', '#4338ca', '#a16207', '#be185d', '#0369a1', '#4d7c0f', '#7e22ce'],
  dark: [colours.dark.primary, '#fb923c', '#a5b4fc', '#facc15', '#f472b6', '#38bdf8', '#a3e635', '#c084fc'],
}

/** Dashes, in pixels, for lines that have a colour for the second and the third time. */
const dashes: readonly number[][] = [[], [6, 3], [2, 3]]

/** What a line lineStyles like by its place among all lines of its chart, shown or not. */
export function lineStyle(place: number, scheme: Scheme): { colour: string; dash: number[] } {
  const list = lineColours[scheme]
  return {
    colour: list[place % list.length] as string,
    dash: dashes[Math.floor(place / list.length) % dashes.length] as number[],
  }
}
