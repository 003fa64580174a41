import type { CellProps } from '../parts/kind.ts'

/** Shown as dots whatever is stored; never exported. */
export const SecretCell = ({ value }: CellProps) => (value ? '••••••••' : null)
