import { lazyPart } from '../../resources/engine/parts/lazyPart.tsx'

const noticeForms = () => import('./notifierInputs.tsx')

/** The inputs that definitions point to. Each comes with the first form that needs it: a list has no use for them. */
export const AlertNotifierGroup = lazyPart(() => import('./alertRules/AlertNotifierGroup.tsx'))
export const CronInput = lazyPart(() => import('./cron/CronInput.tsx'))
export const NotifierBodyInput = lazyPart(async () => ({ default: (await noticeForms()).NotifierBodyInput }))
export const NotifierUrlInput = lazyPart(async () => ({ default: (await noticeForms()).NotifierUrlInput }))
export const ProviderInput = lazyPart(async () => ({ default: (await import('./ProviderInput.tsx')).ProviderInput }))
export const PublicNote = lazyPart(async () => ({ default: (await import('./notes/PublicNote.tsx')).PublicNote }))
export const RuleInput = lazyPart(() => import('./alertRules/RuleBuilder.tsx'))
export const ServiceTarget = lazyPart(() => import('./ServiceTarget.tsx'))
export const TextPairsInput = lazyPart(async () => ({
  default: (await import('./pairs/TextPairsInput.tsx')).TextPairsInput,
}))
export const WebhookTextInput = lazyPart(async () => ({ default: (await noticeForms()).WebhookTextInput }))
