import { lazyPart } from '../../parts/lazyPart.tsx'

/** Fetched by the first form that draws it: few forms have a list. */
export const ListInput = lazyPart(() => import('./ChipsInput.tsx'))
