import { Fragment, type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { createEmitter } from '../../events/emitter.ts'

/** A dialog with what the server says once. It has to close by its button alone, and to call `onClose` then. */
type DrawDialog = (onClose: () => void) => ReactNode

let waiting: readonly DrawDialog[] = []
const changes = createEmitter()

/**
 * Shows a secret that the server sends once, such as that of a new token, until the person has closed its dialog: above
 * any screen, because the answer may come after the screen that asked for it was left.
 */
export function showOnce(draw: DrawDialog): void {
  waiting = [...waiting, draw]
  changes.emit()
}

/** The dialogs of `showOnce`, one after the other. */
export function ShownOnce() {
  const [draw] = useSyncExternalStore(changes.subscribe, () => waiting)
  // They belong to who is signed in to this console.
  useEffect(
    () => () => {
      waiting = []
    },
    [],
  )
  if (!draw) return null
  const close = () => {
    waiting = waiting.filter((other) => other !== draw)
    changes.emit()
  }
  return <Fragment>{draw(close)}</Fragment>
}
