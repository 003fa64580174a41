import type { FormEvent, KeyboardEvent } from 'react'

/**
 * Props of what has forms of its own: for React the form around it is around them as well, and would be saved with them, also
 * by Ctrl-Enter. Other keys go on, so that shortcuts work.
 */
export const apartFromForm = {
  onSubmit: (event: FormEvent) => event.stopPropagation(),
  onKeyDown: (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.stopPropagation()
  },
}
