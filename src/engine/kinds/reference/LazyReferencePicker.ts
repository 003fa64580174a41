import { lazyPart } from '../../parts/lazyPart.tsx'

/** The picker is fetched by the first form that draws it: many forms need no autocomplete. */
export const LazyReferencePicker = lazyPart(() => import('./ReferencePicker.tsx'))
