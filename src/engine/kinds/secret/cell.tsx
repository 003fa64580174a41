import type { CellProps } from '../parts/kind.ts'

/** Dots, whatever is stored. */
export const SecretCell = ({ value }: CellProps) => (value ? '••••••••' : null)
