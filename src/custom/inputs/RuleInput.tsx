import { lazy } from 'react'

/** Comes with the first form that needs it. */
export const RuleInput = lazy(() => import('./RuleBuilder.tsx'))
