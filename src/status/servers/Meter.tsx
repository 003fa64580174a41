/** @jsxImportSource preact */
import { useLanguage } from '../parts/language.ts'
import { type MeterValue, percentText } from './serverMetrics.ts'

/** A bar that fills; above 90 percent it warns. */
export function Meter({ label, percent, text, isBare = false }: MeterValue & { isBare?: boolean }) {
  const { locale } = useLanguage()
  const value = Math.min(100, Math.max(0, percent))
  const shown = percentText(percent, locale)
  return (
    <div class="meter" title={text}>
      {!isBare && <span>{label}</span>}
      <span class="value">{shown}</span>
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
