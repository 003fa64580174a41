import { useEffect, useRef, useState } from 'react'
import { useEvent } from 'react-admin'
import { isolate } from '../../../../i18n/isolate.ts'
import { useLanguage } from '../../../components/format/useLanguage.ts'
import { colours } from '../../../components/theme/tokens.ts'
import { loud, type Trouble } from '../../../domain/trouble/trouble.ts'
import { useTrouble } from '../../../live/trouble.ts'
import { troubleWord } from './troubleText.tsx'

/**
 * Says where no screen does what is wrong: to screen readers, and in the icon of the tab.
 * @param isNew whether it began while the page was open
 */
export default function TroubleSignals({ isNew }: { isNew: boolean }) {
  return (
    <>
      <Announcement isNew={isNew} />
      <TabIcon />
    </>
  )
}

/** Milliseconds: a rack that goes down is one sentence, and not forty. */
const gatherMs = 3_000
/** What is named one by one. */
const mostNamed = 3

/** Tells screen readers what began, and when all is well again. What was wrong when the page was opened is on screen. */
function Announcement({ isNew }: { isNew: boolean }) {
  const language = useLanguage()
  const { translate } = language
  const troubles = useTrouble((state) => state.troubles)
  const told = useRef<ReadonlySet<string> | undefined>(isNew ? new Set() : undefined)
  const [text, setText] = useState('')
  const tell = useEvent(() => {
    const urgent = loud(troubles ?? [])
    const before = told.current
    told.current = new Set(urgent.map(({ key }) => key))
    if (!before) return
    const begun = urgent.filter(({ key }) => !before.has(key))
    if (begun.length > 0) setText(begunText(begun))
    else if (urgent.length === 0 && before.size > 0) setText(translate('app.trouble.none'))
    else if (urgent.length < before.size) setText(translate('app.trouble.count', { smart_count: urgent.length }))
  })
  useEffect(() => {
    if (!troubles) return
    const timer = setTimeout(tell, told.current ? gatherMs : 0)
    return () => clearTimeout(timer)
  }, [troubles, tell])

  function begunText(begun: readonly Trouble[]): string {
    const named = begun
      .slice(0, mostNamed)
      .map((trouble) => [troubleWord(trouble, language), isolate(trouble.name)].filter(Boolean).join(': '))
    const rest = begun.length - named.length
    return [...named, ...(rest > 0 ? [translate('app.trouble.more', { count: rest })] : [])].join(', ')
  }
  return (
    <span role="status" className="visually-hidden">
      {text}
    </span>
  )
}

/** Marks the icon of the tab with a dot while something is wrong. */
function TabIcon() {
  const isTrouble = useTrouble(({ count }) => count > 0)
  useEffect(() => {
    const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]')
    if (!icon || !isTrouble) return
    const own = icon.href
    icon.href = markedIcon
    return () => {
      icon.href = own
    }
  }, [isTrouble])
  return null
}

const { primary, danger } = colours.light
const markedIcon = `data:image/svg+xml,${encodeURIComponent(
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32" fill="none" stroke="${primary}"><g stroke-width="3" stroke-linecap="round"><circle cx="16" cy="16" r="8.6"/><path d="M16 2v7M16 23v7M2 16h7M23 16h7M6.1 6.1l4.6 4.6M21.3 21.3l4.6 4.6M25.9 6.1l-4.6 4.6M10.7 21.3l-4.6 4.6"/></g><circle cx="23" cy="9" r="9" fill="${danger}" stroke="#fff" stroke-width="2"/></svg>`,
)}`
