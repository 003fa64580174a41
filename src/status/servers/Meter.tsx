/** @jsxImportSource preact */
import { useLanguage } from '../parts/language.ts'
import { type MeterValue, percentText } from './serverMetrics.ts'

/** A bar that fills; above 90 percent it warns. Without a value it is empty, and has a dash. */
export function Meter({ label, percent, text, isBare = false }: MeterValue & { isBare?: boolean }) {
  const { locale } = useLanguage()
  const shown = percentText(percent, locale)
  const heading = (
    <>
      {!isBare && <span>{label}</span>}
      <span class="value">{shown}</span>
    </>
  )
  // A meter has a value; where none is known, the empty bar keeps the place.
  if (percent === undefined) {
    return (
      <div class="meter">
        {heading}
        <span class="track" />
      </div>
    )
  }
  const value = Math.min(100, Math.max(0, percent))
  return (
    <div class="meter" title={text}>
      {heading}
      {/* biome-ignore lint/a11y/useSemanticElements: the colours of a meter element differ in every browser */}
      <span
        class={`track ${value > 90 ? 'full' : ''}`}
        role="meter"
        aria-label={label}
        aria-valuenow={Math.round(value)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuetext={text ? `${shown}, ${text}` : shown}
      >
        <span style={{ width: `${value}%` }} />
      </span>
    </div>
  )
}
