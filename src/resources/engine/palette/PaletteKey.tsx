import { Suspense, useEffect, useState } from 'react'
import type { Resource } from '../define/defineResource.ts'
import type { Place } from '../define/place.ts'
import { lazyPart } from '../parts/lazyPart.tsx'

const CommandPalette = lazyPart(() => import('./CommandPalette.tsx'))

/** Opens the command palette by Ctrl-K (or Cmd-K), from anywhere. */
export function PaletteKey(goals: { resources: readonly Resource[]; places: readonly Place[] }) {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen((open) => !open)
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  if (!isOpen) return null
  return (
    <Suspense>
      <CommandPalette {...goals} onClose={() => setOpen(false)} />
    </Suspense>
  )
}
