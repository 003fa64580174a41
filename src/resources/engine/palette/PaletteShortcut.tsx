import { Suspense, useEffect, useState } from 'react'
import type { Resource } from '../define/defineResource.ts'
import type { NamedPage } from '../define/namedPage.ts'
import { lazyPart } from '../parts/lazyPart.tsx'

const CommandPalette = lazyPart(() => import('./CommandPalette.tsx'))

/** Opens the command palette by Ctrl-K (or Cmd-K), from anywhere. */
export function PaletteShortcut(props: { resources: readonly Resource[]; namedPages: readonly NamedPage[] }) {
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
      <CommandPalette {...props} onClose={() => setOpen(false)} />
    </Suspense>
  )
}
