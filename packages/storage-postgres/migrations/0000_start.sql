CREATE TABLE "blob_chunks" (
	"tenant" text COLLATE "C" NOT NULL,
	"version" text NOT NULL,
	"index" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "blob_chunks_tenant_version_index_pk" PRIMARY KEY("tenant","version","index")
);
--> statement-breakpoint
CREATE TABLE "blob_versions" (
	"tenant" text COLLATE "C" NOT NULL,
	"version" text NOT NULL,
	"touched_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "blob_versions_tenant_version_pk" PRIMARY KEY("tenant","version")
);
--> statement-breakpoint
CREATE TABLE "blobs" (
	"tenant" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"revision" text NOT NULL,
	"size" bigint NOT NULL,
	"metadata" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL,
	"bytes" "bytea",
	"version" text,
	CONSTRAINT "blobs_tenant_key_pk" PRIMARY KEY("tenant","key")
);
--> statement-breakpoint
CREATE TABLE "records" (
	"tenant" text COLLATE "C" NOT NULL,
	"key" text COLLATE "C" NOT NULL,
	"revision" text NOT NULL,
	"value" text NOT NULL,
	CONSTRAINT "records_tenant_key_pk" PRIMARY KEY("tenant","key")
);
--> statement-breakpoint
ALTER TABLE "blob_chunks" ADD CONSTRAINT "blob_chunks_version" FOREIGN KEY ("tenant","version") REFERENCES "public"."blob_versions"("tenant","version") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "blobs" ADD CONSTRAINT "blobs_version" FOREIGN KEY ("tenant","version") REFERENCES "public"."blob_versions"("tenant","version") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "blob_versions_tenant_touched_at_index" ON "blob_versions" USING btree ("tenant","touched_at");--> statement-breakpoint
CREATE INDEX "blobs_tenant_version_index" ON "blobs" USING btree ("tenant","version");