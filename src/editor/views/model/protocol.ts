import * as z from 'zod/mini';

export const ModelRef = z.object({ serviceId: z.string(), modelId: z.string() });
export type ModelRef = z.infer<typeof ModelRef>;

export const ModelIntent = z.discriminatedUnion('type', [z.object({ type: z.literal('action'), id: z.string() })]);
export type ModelIntent = z.infer<typeof ModelIntent>;
