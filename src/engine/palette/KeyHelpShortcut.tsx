import { Suspense, useEffect, useState } from 'react'
import { lazyPart } from '../parts/lazyPart.tsx'
import { isDialogOpen, keyHelpRequests, textControls } from './shortcutRequests.ts'

const ShortcutHelp = lazyPart(() => import('./ShortcutHelp.tsx'))

/** Opens the list of keys by `?`, except where somebody types, and when somebody asks for it. */
export function KeyHelpShortcut() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== '?' || event.ctrlKey || event.metaKey || event.altKey) return
      if (event.target instanceof Element && event.target.closest(textControls)) return
      if (!isDialogOpen()) setOpen(true)
    }
    document.addEventListener('keydown', onKey)
    const unsubscribe = keyHelpRequests.subscribe(() => setOpen(true))
    return () => {
      unsubscribe()
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  if (!isOpen) return null
  return (
    <Suspense>
      <ShortcutHelp onClose={() => setOpen(false)} />
    </Suspense>
  )
}
