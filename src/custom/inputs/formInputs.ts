import { lazyPart } from '../../resources/engine/lazyPart.tsx'

const noticeForms = () => import('./noticeForms.tsx')

/** The inputs that definitions point to. Each comes with the first form that needs it: a list has no use for them. */
export const AlertNotifierGroup = lazyPart(() => import('./AlertNotifierGroup.tsx'))
export const CronInput = lazyPart(() => import('./CronInput.tsx'))
export const NotifierBodyInput = lazyPart(async () => ({ default: (await noticeForms()).NotifierBodyInput }))
export const NotifierUrlInput = lazyPart(async () => ({ default: (await noticeForms()).NotifierUrlInput }))
export const ProviderInput = lazyPart(async () => ({ default: (await import('./ProviderInput.tsx')).ProviderInput }))
export const PublicNote = lazyPart(async () => ({ default: (await import('./PublicNote.tsx')).PublicNote }))
export const RuleInput = lazyPart(() => import('./RuleBuilder.tsx'))
export const ServiceTarget = lazyPart(() => import('./ServiceTarget.tsx'))
export const TextPairsInput = lazyPart(async () => ({ default: (await import('./TextPairsInput.tsx')).TextPairsInput }))
export const WebhookTextInput = lazyPart(async () => ({ default: (await noticeForms()).WebhookTextInput }))
