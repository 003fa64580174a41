import type { FilterProps } from '../parts/kind.ts'
import { TextFilter } from '../text/filter.tsx'

export const NumberFilter = (props: FilterProps) => <TextFilter {...props} inputMode="numeric" />
