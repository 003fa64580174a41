import { lazyPart } from '../engine/parts/lazyPart.tsx'

/** The overviews of definitions, each loaded when it is first opened. */
export const ServerOverview = lazyPart(() => import('./server/page/ServerOverview.tsx'))
export const ServiceOverview = lazyPart(() => import('./service/page/ServiceOverview.tsx'))
