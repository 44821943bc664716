"""Admin pages for interview questions and answers."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import Count, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import Truncator

from apps.core.admin.base import ModelAdmin
from apps.core.admin.decisions import Decides, Decision, admin_url, page_action
from apps.core.api.serializers import clean_text
from apps.core.errors import DomainError
from apps.core.versions.admin import ShowsVersions
from apps.core.versions.differences import Difference, difference
from apps.moderation.admin.pages import RemovesTexts
from apps.sites.models import Site
from apps.stories.admin import question_admin
from apps.stories.models import InterviewAnswer, InterviewQuestion, InterviewVersion
from apps.stories.services import interviews
from apps.stories.services.first_questions import QUESTIONS

FIRST_QUESTIONS = Decision(
    title="Add default questions",
    explanation=[
        f"Adds the {len(QUESTIONS)} default questions to sites without any. "
        "You can edit, reorder or deactivate them later."
    ],
    done="Default questions added",
    decide=lambda site, values, request: question_admin.ask_first_questions(site=site),
)


class QuestionForm(forms.ModelForm[InterviewQuestion]):
    class Meta:
        model = InterviewQuestion
        fields = ("site", "text", "position", "is_active")
        labels = {"is_active": "Asked"}
        help_texts = {
            "text": "Shown to founders and visitors.",
            "position": "Lowest first. You can also drag questions in the list.",
        }

    def clean_text(self) -> str:
        """Require one non-empty line that the site doesn't already ask."""
        text = clean_text(self.cleaned_data["text"])
        if not text:
            raise forms.ValidationError("Write the question.")
        site = self.cleaned_data.get("site") or self.instance.site_id
        same = InterviewQuestion.objects.filter(site=site, text__iexact=text).exclude(pk=self.instance.pk)
        if site and same.exists():
            raise forms.ValidationError("This site already has this question. It may be turned off.")
        return text


@admin.register(InterviewQuestion)
class InterviewQuestionAdmin(Decides, ModelAdmin):
    form = QuestionForm
    list_display = ("text", "site", "position", "is_active", "answers_to_it")
    list_display_links = ("text",)
    list_filter = ("site", "is_active")
    list_editable = ("position", "is_active")
    list_select_related = ("site",)
    search_fields = ("text",)
    ordering = ("site", "position", "id")
    ordering_field = "position"
    actions_list = ("first_questions",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[InterviewQuestion]:
        result: QuerySet[InterviewQuestion] = super().get_queryset(request)
        return result.annotate(answer_count=Count("answers"))

    def get_fields(self, request: HttpRequest, obj: InterviewQuestion | None = None) -> tuple[str, ...]:
        """Put a new question last."""
        return ("site", "text", "position", "is_active", "answers_to_it") if obj else ("site", "text", "is_active")

    def get_readonly_fields(self, request: HttpRequest, obj: InterviewQuestion | None = None) -> tuple[str, ...]:
        """A question's answers belong to its site."""
        return ("site", "answers_to_it") if obj else ()

    @admin.display(description="answers", ordering="answer_count")
    def answers_to_it(self, question: Any) -> str:
        if not question.answer_count:
            return "none"
        address = f"{reverse('admin:stories_interviewanswer_changelist')}?question__id__exact={question.pk}"
        link = '<a class="text-primary-600 dark:text-primary-500" href="{}">{}</a>'
        return format_html(link, address, question.answer_count)

    def has_delete_permission(self, request: HttpRequest, obj: InterviewQuestion | None = None) -> bool:
        """Keep answers and therefore their questions."""
        is_free = obj is None or not question_admin.answered_by(obj)
        return is_free and bool(super().has_delete_permission(request, obj))

    def save_model(self, request: HttpRequest, obj: InterviewQuestion, form: Any, change: bool) -> None:
        if not change:
            obj.position = question_admin.last_place(obj.site)
        super().save_model(request, obj, form, change)
        if change and "text" in form.changed_data and (count := question_admin.answered_by(obj)):
            message = "1 answer stays" if count == 1 else f"{count} answers stay"
            text = f"{message} with the new text. To ask something else, add a question and stop asking this one."
            self.message_user(request, text, messages.WARNING)

    def delete_model(self, request: HttpRequest, obj: InterviewQuestion) -> None:
        try:
            question_admin.delete_question(question=obj)
        except DomainError as refusal:
            self.message_user(request, f"{obj}: {refusal.detail}", messages.ERROR)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[InterviewQuestion]) -> None:
        for question in queryset.order_by("pk"):
            self.delete_model(request, question)

    @page_action(description="Add default questions", permissions=["add"], icon="playlist_add")
    def first_questions(self, request: HttpRequest) -> HttpResponse:
        """Add the default questions to a site created after installation."""
        silent = Site.objects.filter(interview_questions=None)
        return self.ask(request, silent, FIRST_QUESTIONS, back=admin_url(self, "changelist"))


@admin.register(InterviewAnswer)
class InterviewAnswerAdmin(RemovesTexts, ModelAdmin):
    """The founders' answers. Admins can view and remove them."""

    case_kind = "answer"
    list_display = ("beginning", "question", "user", "updated_at")
    list_filter = ("question__site", "question__is_active", "updated_at")
    list_select_related = ("question__site", "user__founder_profile")
    search_fields = ("text", "user__email", "user__name")
    fields = ("question", "user", "text", "answered_at", "updated_at")
    ordering = ("-updated_at",)

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        """Allow filtering answers by question."""
        return lookup == "question__id__exact" or bool(super().lookup_allowed(lookup, value, request))

    @admin.display(description="answer", ordering="text")
    def beginning(self, answer: InterviewAnswer) -> str:
        return Truncator(answer.text).chars(80)


@admin.register(InterviewVersion)
class InterviewVersionAdmin(ShowsVersions, ModelAdmin):
    """Versions of interviews: who changed which answers, and how."""

    list_display = ("created_at", "user", "site", "author", "via", "credential")
    list_filter = ("site", "via", "created_at")
    list_select_related = ("user", "site", "author")
    search_fields = ("user__email", "author__email", "credential")
    fields = ("user", "site", "author", "via", "credential", "created_at", "what_changed")
    readonly_fields = ("what_changed",)

    def differences(self, version: InterviewVersion) -> list[Difference]:
        texts = interviews.texts_of(change["field"] for change in version.changes)
        return [
            difference(texts.get(name, f"Deleted question {name}"), change["before"], change["after"])
            for change in version.changes
            for name in [change["field"]]
        ]
