import { createEmitter } from '../../events/emitter.ts'

/** Asks for the command palette, as its key does. */
export const paletteRequests = createEmitter()

/** Asks for the list of keys, as its key does. */
export const keyHelpRequests = createEmitter()

/** Where somebody types: there a letter is a letter. */
export const textControls = 'input:not([type=checkbox]), textarea, select, [contenteditable=true]'

export const isDialogOpen = () => document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null
