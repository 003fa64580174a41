import { useLocaleState } from 'react-admin'

/** A time as ISO text, to the second; in the local time zone on hover. @param at ms since 1970 */
export function IsoTime({ at }: { at: number }) {
  const [locale] = useLocaleState()
  const iso = isoText(at)
  const local = new Date(at).toLocaleString(locale, { dateStyle: 'full', timeStyle: 'long' })
  return (
    <time dateTime={iso} title={local}>
      {iso}
    </time>
  )
}

/** `2026-11-21T00:34:05Z` */
export const isoText = (at: number) => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z')
