import { Suspense, useCallback, useEffect, useLayoutEffect, useState } from 'react'
import { useLocation, useNavigate } from 'react-admin'
import { createEmitter } from '../../events/emitter.ts'
import type { NamedPage, ResourceEntry } from '../define/page.tsx'
import { lazyPart } from '../parts/lazyPart.tsx'

/** Asks for the command palette, as its key does. */
export const paletteRequests = createEmitter()

/** Asks for the list of keys, as its key does. */
export const keyHelpRequests = createEmitter()

/** Where somebody types: there a letter is a letter. */
export const textControls = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]'

export const isDialogOpen = () => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null

const CommandPalette = lazyPart(() => import('./CommandPalette.tsx'))
const ShortcutHelp = lazyPart(() => import('./ShortcutHelp.tsx'))

/**
 * `loading` is while the palette's code is under way, the first time. It is drawn after that, not suspended: React would
 * hide it for at least 300 ms.
 */
type State = 'closed' | 'loading' | 'open'

/**
 * What another app has shared with the installed one (`share_target` of its manifest), to be searched for: of an address
 * the host, of which a server or a service may have the name.
 */
function sharedText(search: string): string {
  const query = new URLSearchParams(search)
  const text = ['text', 'url', 'title'].map((name) => query.get(`shared_${name}`)?.trim()).find(Boolean) ?? ''
  return (/https?:\/\/([^/?#:\s]+)/.exec(text)?.[1] ?? text).slice(0, 100)
}

/** Opens the command palette by Ctrl-K (or Cmd-K), from anywhere, and when somebody asks for it. */
export function PaletteShortcut(props: { resources: readonly ResourceEntry[]; namedPages: readonly NamedPage[] }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const [shared, setShared] = useState('')
  const [state, setState] = useState<State>('closed')
  useEffect(() => {
    const text = sharedText(search)
    if (!text) return
    setShared(text)
    setState('loading')
    // Once: it is no filter of the list behind.
    navigate(pathname, { replace: true })
  }, [search, pathname, navigate])
  const close = useCallback(() => {
    setState('closed')
    setShared('')
  }, [])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setState((state) => (state === 'closed' ? 'loading' : 'closed'))
    }
    document.addEventListener('keydown', onKey)
    const unsubscribe = paletteRequests.subscribe(() => setState('loading'))
    return () => {
      unsubscribe()
      document.removeEventListener('keydown', onKey)
    }
  }, [])
  useEffect(() => {
    if (state !== 'loading') return
    void CommandPalette.prepare().then(() => setState((state) => (state === 'loading' ? 'open' : state)))
  }, [state])
  const earlyText = useEarlyText(state === 'loading', close)
  if (state !== 'open') return null
  return (
    <Suspense>
      <CommandPalette {...props} initialText={shared + earlyText} onClose={close} />
    </Suspense>
  )
}

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

/**
 * What somebody types for an input that is not there yet. Until then no key does what it would do on the screen behind:
 * search, select or open a row.
 *
 * @param isWaiting whether the input has been asked for and is not there
 * @param onEscape called when Escape is pressed meanwhile
 * @returns the text typed since the input was asked for
 */
function useEarlyText(isWaiting: boolean, onEscape: () => void): string {
  const [text, setText] = useState('')
  // In the commit that draws the input, so that no key falls between the two.
  useLayoutEffect(() => {
    if (!isWaiting) return
    setText('')
    const onKey = (event: KeyboardEvent) => {
      // Shortcuts of the browser stay, and so does the key that closes the palette again.
      if (event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      event.stopPropagation()
      if (event.key === 'Escape') onEscape()
      else if (event.key === 'Backspace') setText((text) => [...text].slice(0, -1).join(''))
      else if ([...event.key].length === 1) setText((text) => text + event.key)
    }
    window.addEventListener('keydown', onKey, { capture: true })
    return () => window.removeEventListener('keydown', onKey, { capture: true })
  }, [isWaiting, onEscape])
  return text
}
