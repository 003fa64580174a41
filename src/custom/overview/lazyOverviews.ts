import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'

/** The overviews of definitions, each loaded when it is first opened. */
export const ServerOverview = lazyPart(() => import('./ServerOverview.tsx'))
export const ServiceOverview = lazyPart(() => import('./ServiceOverview.tsx'))
