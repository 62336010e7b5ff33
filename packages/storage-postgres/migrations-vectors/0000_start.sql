CREATE TABLE "vector_sets" (
	"tenant" text COLLATE "C" NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "vector_sets_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text COLLATE "C" NOT NULL,
	"dimensions" integer NOT NULL,
	"indexed" boolean DEFAULT false NOT NULL,
	CONSTRAINT "vector_sets_tenant_id_pk" PRIMARY KEY("tenant","id"),
	CONSTRAINT "vector_sets_tenant_name_unique" UNIQUE("tenant","name")
);
--> statement-breakpoint
CREATE TABLE "vectors" (
	"tenant" text COLLATE "C" NOT NULL,
	"set" integer NOT NULL,
	"id" "bytea" NOT NULL,
	"vector" vector NOT NULL,
	CONSTRAINT "vectors_tenant_set_id_pk" PRIMARY KEY("tenant","set","id")
);
--> statement-breakpoint
ALTER TABLE "vectors" ADD CONSTRAINT "vectors_set" FOREIGN KEY ("tenant","set") REFERENCES "public"."vector_sets"("tenant","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- In the row while it fits in a page: a scan then needs no second look for each vector.
ALTER TABLE "vectors" ALTER COLUMN "vector" SET STORAGE MAIN;
