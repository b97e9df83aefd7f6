/** Whether an image can be loaded from an address. A half-typed one must not cause requests. */
export const isImageAddress = (text: string): boolean => /^(https:\/\/[^/]+\/|\/art\/|\/pictures\/)./.test(text)
