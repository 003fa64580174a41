import { useBasename } from 'react-admin'
import type { ChangeVerb } from '../../undo/actionKey.ts'
import { lastAction } from '../../undo/changeRecorder.ts'
import { type FormState, useAddresses, useScreen } from './screen.ts'

/**
 * Gives the link behind the message of a write that takes the write back; none when nothing was stored.
 * The write is one of the screen's entity, unless another one is named.
 */
export function useUndoLink() {
  const { entity } = useScreen()
  const { list } = useAddresses()
  const basename = useBasename()
  return (verb: ChangeVerb, name: string = entity.name) => {
    const key = lastAction(name, verb)
    if (!key) return undefined
    return {
      to: { pathname: `${basename}/recent-changes`, search: `?undo=${encodeURIComponent(key)}` },
      state: { openedFrom: `${list.pathname}${list.search}` } satisfies FormState,
      labelKey: 'app.action.undo',
    }
  }
}
