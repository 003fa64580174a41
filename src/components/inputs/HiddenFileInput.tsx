import type { ComponentProps } from 'react'

/**
 * An input for files that is opened by a button. The Tab key does not stop at it: a dialog takes even what is hidden for
 * its first stop, cannot give it the focus, and the keyboard would be caught.
 */
export const HiddenFileInput = (props: Omit<ComponentProps<'input'>, 'type' | 'hidden' | 'tabIndex'>) => (
  <input {...props} type="file" hidden tabIndex={-1} />
)
