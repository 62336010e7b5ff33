/**
 * Credentials of the providers that the host itself works with: models, messaging, code hosts. A cell reaches these through
 * tools; no configuration and no skill can have them passed on. Prefixes end in `_` and cover every name that begins so.
 */
const managed = [
  "ARTIFICER_",
  "OPENAI_",
  "AZURE_OPENAI_",
  "ANTHROPIC_",
  "CLAUDE_",
  "OPENROUTER_",
  "GOOGLE_API_KEY",
  "GOOGLE_APPLICATION_CREDENTIALS",
  "GOOGLE_GENERATIVE_AI_",
  "GEMINI_",
  "VERTEX_",
  "MISTRAL_",
  "COHERE_",
  "GROQ_",
  "XAI_",
  "DEEPSEEK_",
  "TOGETHER_",
  "TOGETHERAI_",
  "FIREWORKS_",
  "PERPLEXITY_",
  "CEREBRAS_",
  "REPLICATE_",
  "HF_TOKEN",
  "HUGGINGFACE_",
  "HUGGING_FACE_",
  "VOYAGE_",
  "JINA_",
  "FIRECRAWL_",
  "TAVILY_",
  "EXA_",
  "SERPAPI_",
  "BRAVE_",
  "ELEVENLABS_",
  "MODAL_",
  "DAYTONA_",
  "E2B_",
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "GITLAB_TOKEN",
  "NPM_TOKEN",
  "NODE_AUTH_TOKEN",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "AWS_SESSION_TOKEN",
  "AWS_BEARER_TOKEN_BEDROCK",
  "AZURE_CLIENT_SECRET",
  "TELEGRAM_",
  "DISCORD_",
  "SLACK_",
  "TWILIO_",
  "WHATSAPP_",
  "SENDGRID_",
];

/** True for a variable that no opt-in can pass to a cell. Upper and lower case count as the same. */
export function isManagedCredential(name: string): boolean {
  const upper = name.toUpperCase();
  return managed.some((entry) => (entry.endsWith("_") ? upper.startsWith(entry) : upper === entry));
}
